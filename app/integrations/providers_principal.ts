import { unrestricted, type Principal, type Tenant } from '#foundation/core/principal'

/** Returns the principal that stores what providers and their plugins tell. */
export const providersPrincipal = (organization: Tenant): Principal => ({
  organization,
  actor: { type: 'system', id: null, name: 'providers' },
  permissions: unrestricted,
})
