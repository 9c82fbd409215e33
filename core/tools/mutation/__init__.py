"""Mutation testing: inserts small errors into a copy of the code and checks whether the tests detect them. See
`__main__`.
"""
