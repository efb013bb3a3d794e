/** Pages that a browser comes to from a provider. */
export const pageAddresses = {
  /** Takes the answer, for connections that began on a page. */
  authorized: '/dashboard/org/{orgId}/integration/authorized',
  /** Says why an answer was not taken; `why` is the code of the problem. */
  notConnected: '/dashboard/notConnected',
} as const
