/** The page that takes the answer of a provider, for connections that began on a page. */
export const pageAddresses = {
  authorized: '/dashboard/org/{orgId}/integration/authorized',
} as const
