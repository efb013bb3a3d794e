/** Returns whether a request body is a GraphQL query, which changes nothing. */
export function isGraphqlQuery(body: string): boolean {
  try {
    const { query } = JSON.parse(body) as { query?: unknown }
    return typeof query === 'string' && !/\b(mutation|subscription)\b/.test(query)
  } catch {
    return false
  }
}
