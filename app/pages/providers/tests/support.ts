import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { unitOfWork } from '#foundation/core/services'
import { openCredentials } from '#integrations/connections/credentials'
import { makeWorld } from '#tests/support/world'
import { joined, type Shown } from '../../session/tests/browser.js'

export const SECRET = 'good-token-4711'

export const isSecret = ({ headers }: Shown) => headers.get('cache-control') === 'no-store'

/**
 * Makes an organization with a signed-in person, and readers of its connections and credentials.
 */
export async function office(admin = true) {
  const world = await makeWorld()
  const { browser, email } = await joined(world, admin)
  const org = `/dashboard/org/${world.organizationId}`
  const connections = () => db.from('connections').where('organization_id', world.organizationId)
  const credentials = async (id: string) => {
    const secrets = await app.container.make('integrations.secrets')
    return (await openCredentials(unitOfWork.readScope(world.principal), secrets, id)).credentials
  }
  return { world, browser, email, org, path: `${org}/integration`, connections, credentials }
}
