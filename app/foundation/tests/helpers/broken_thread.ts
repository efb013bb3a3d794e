/* A module that a thread cannot load. */
throw new Error('It cannot be loaded')
