"""Work in other processes: started, asked over a pipe, ended when it takes too long."""
