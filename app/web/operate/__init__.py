"""What operators ask of a running server: is it alive, is it ready, what does it do?"""
