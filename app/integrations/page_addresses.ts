/** Pages that a browser comes to from a provider. */
export const pageAddresses = {
  /** Takes the provider's answer for a connection that was begun on a page. */
  authorized: '/dashboard/org/{orgId}/integration/authorized',
  /** Says why an answer was refused; `why` is the code of the problem. */
  notConnected: '/dashboard/notConnected',
} as const
