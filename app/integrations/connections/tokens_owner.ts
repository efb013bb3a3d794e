/** Returns the owner of tokens: moved to another row they do not open. */
export const tokensOwner = (organizationId: string, connectionId: string, version: number) =>
  `connection:${organizationId}:${connectionId}:v${version}:tokens`
