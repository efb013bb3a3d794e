/** Returns the owner that sealed tokens are bound to: in another row they cannot be decrypted. */
export const tokensOwner = (organizationId: string, connectionId: string, version: number) =>
  `connection:${organizationId}:${connectionId}:v${version}:tokens`
