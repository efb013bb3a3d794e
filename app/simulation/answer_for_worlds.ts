import app from '@adonisjs/core/services/app'
import { unrestricted } from '#foundation/core/principal'
import { tenants } from '#organizations/queries/find_tenants'
import { withCommit } from './commit_to_build.js'
import { findOwnWorld, findWorld, storeWorld, timeIn, whichWorld } from './queries/find_world.js'
import { isTokenOf, organizationOf } from './token.js'
import { respondInWorld } from './world/answer.js'

const unknown = () => Response.json({ message: 'There is no such world' }, { status: 401 })

/**
 * Answers requests to the simulated worlds of all organizations. Each request that changes
 * something has a transaction of its own; callers are outside of any, as for every provider.
 */
export async function respondForWorlds(received: Request): Promise<Response> {
  const token = received.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const id = organizationOf(token)
  const organization = id === null ? null : await tenants.find(id)
  if (!organization) return unknown()
  const unitOfWork = await app.container.make('unitOfWork')
  const actor = { type: 'system' as const, id: null, name: 'simulated world' }
  const principal = { organization, actor, permissions: unrestricted }
  const reading = unitOfWork.readScope(principal)
  const request = await withCommit(reading, received)
  if (request instanceof Response) return request
  if (request.method === 'GET') {
    const row = await findOwnWorld(reading)
    if (!row || !isTokenOf(token, row.tokenHash)) return unknown()
    const { response, world } = await respondInWorld(row.state, timeIn(row, reading), request)
    // Otherwise changes of the world were due by now, and are stored below.
    if (world === row.state) return response
  }
  return unitOfWork.inTransaction(principal, async (scope) => {
    const found = await whichWorld(scope)
    if (!found || !isTokenOf(token, found.tokenHash)) return unknown()
    await scope.lock('simulated_worlds', found.id)
    const row = await findWorld(scope)
    const { response, world } = await respondInWorld(row.state, timeIn(row, scope), request)
    if (world !== row.state) await storeWorld(scope, row.id, { state: world })
    return response
  })
}
