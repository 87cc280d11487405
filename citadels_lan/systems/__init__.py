"""What differs between systems, and nothing else: here alone it is asked whether a system has something.

    folders     where data, settings and logs belong
    files       files for their owner alone, and names that survive a power cut
    locks       that two programs do not use one file
    memory      what a program keeps of its memory, and what it gives back
    process     the three streams, and the signals that end a program
    language    the language that the system speaks

Every room may use it, save the engine, which knows no system; it uses none of them. A part that a system lacks is
missing without an error, and what is done then stands beside it.
"""
