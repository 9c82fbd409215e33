"""`make audit`: known weaknesses and licences of all packages in use, and the bill of materials of the wheel."""
