"""The resources of the API: a method for each operation of its document."""
