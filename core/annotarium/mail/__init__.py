"""Messages by e-mail: who asked for one when starting a job hears how it ended. Off until an SMTP server is named."""
