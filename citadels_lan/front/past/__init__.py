"""Games read again out of their transcripts: told, measured and counted."""
