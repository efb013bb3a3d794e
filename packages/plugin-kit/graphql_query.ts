/** Returns whether the body of a request asks by GraphQL, and changes nothing. */
export function isGraphqlQuery(body: string): boolean {
  try {
    const { query } = JSON.parse(body) as { query?: unknown }
    return typeof query === 'string' && !/\b(mutation|subscription)\b/.test(query)
  } catch {
    return false
  }
}
