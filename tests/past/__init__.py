"""Games read again out of their transcripts."""
