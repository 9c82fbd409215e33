"""Who calls: the credentials a request may carry, and how soon a change counts."""
