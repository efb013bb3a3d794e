/** The path of a declaration in the router's own form. */
export function routePattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
