"""`make audit`: checks all packages in use for known vulnerabilities and for licences; also writes the wheel's bill of
materials.
"""
