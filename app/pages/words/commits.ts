/** Returns the hash of a commit as people write it. */
export const shortHash = (hash: string): string => hash.slice(0, 7)

/** Returns the first line of a commit message. */
export const firstLine = (message: string): string => message.split('\n', 1)[0]
