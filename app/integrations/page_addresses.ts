/** Where a browser goes with what a provider gave it, if its connection began on a page. */
export const pageAddresses = {
  authorized: '/dashboard/org/{orgId}/integration/authorized',
} as const
