/* What a thread cannot load. */
throw new Error('It cannot be loaded')
