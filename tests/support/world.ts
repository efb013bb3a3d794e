import db from '@adonisjs/lucid/services/db'
import { unrestricted, type Principal } from '#foundation/core/principal'
import { randomText } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { clock, unitOfWork } from '#foundation/core/services'
import { CreateKey, type CreateKeyInput } from '#organizations/actions/create_key'
import { CreateOrganization } from '#organizations/actions/create_organization'
import { Api } from './api.js'

/** An organization for one test, with an admin key. */
export interface World {
  organizationId: string
  principal: Principal
  admin: Api
  adminKey: string
  /** Makes a client with a new key; `groups` are names of groups of the organization. */
  keyed(input?: Partial<Omit<CreateKeyInput, 'groupIds'>> & { groups?: string[] }): Promise<Api>
  /** Runs work on the database in a transaction of the organization. */
  write<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
  /** Returns every event the organization has recorded, in order. */
  events(): Promise<
    { type: string; sequence: number | null; payload: any; releaseId: string | null }[]
  >
}

/** Makes an organization that no other test sees. */
export async function makeWorld(name = `Acme ${randomText(6)}`): Promise<World> {
  const organization = await new CreateOrganization(db as never, clock).handle({ name })
  const principal: Principal = {
    organization,
    actor: { type: 'system', id: null, name: 'test' },
    permissions: unrestricted,
  }
  const write = <Result>(work: (scope: Scope) => Promise<Result>) =>
    unitOfWork.inTransaction(principal, work)
  const make = async (input: CreateKeyInput) =>
    (await write((scope) => new CreateKey(scope).handle(input))).key
  const adminKey = await make({ name: 'admin', admin: true })

  return {
    organizationId: organization.id,
    principal,
    adminKey,
    admin: new Api(adminKey),
    write,
    async keyed({ groups = [], ...input } = {}) {
      const rows = await db
        .from('groups')
        .where('organization_id', organization.id)
        .whereIn('name', groups)
        .select('id')
      return new Api(await make({ name: 'key', ...input, groupIds: rows.map((row) => row.id) }))
    },
    async events() {
      const rows = await db
        .from('events')
        .where('organization_id', organization.id)
        .orderBy(db.raw('coalesce(sequence, 0)') as never)
      return rows.map((row) => ({
        type: row.type,
        sequence: row.sequence,
        payload: row.payload === null ? null : JSON.parse(row.payload),
        releaseId: row.release_id,
      }))
    },
  }
}
