/** The name of a branch, of which a full ref may be given. */
export const plainBranch = (ref: string): string =>
  ref.replace(/^refs\/(heads|remotes\/[^/]+)\/(?=.)/, '')
