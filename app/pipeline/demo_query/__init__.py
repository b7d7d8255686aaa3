"""The query that visitors kill and start again."""
