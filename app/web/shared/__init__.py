"""What several features of the web application share."""
