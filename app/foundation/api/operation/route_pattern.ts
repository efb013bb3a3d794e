/** Converts a declared path to the syntax of the router. */
export function routePattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
