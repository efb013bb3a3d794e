/** Returns the name of a branch. Strips the prefix of a full ref such as `refs/heads/main`. */
export const plainBranch = (ref: string): string =>
  ref.replace(/^refs\/(heads|remotes\/[^/]+)\/(?=.)/, '')
