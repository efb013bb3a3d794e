import { chunked } from '#foundation/core/chunked'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { personName } from '#organizations/queries/people'
import type { ItemOwner } from '../entities.js'
import type { OwnerInput } from '../validators/item_inputs.js'
import { RELEASE_PILOT } from './owner_names.js'

/** The valid members of an owner in a request; undefined if the owner has no valid shape. */
type SoundOwner = PartiallyValid<OwnerInput> | undefined

/** The users and groups that requests name as owners, read once for a whole batch. */
export class OwnerDirectory {
  private constructor(
    /** Keyed by both id and e-mail address. */
    private readonly users: ReadonlyMap<string, ItemOwner>,
    private readonly groups: ReadonlyMap<string, ItemOwner>
  ) {}

  static async of(scope: Scope, wanted: readonly SoundOwner[]): Promise<OwnerDirectory> {
    const users = new Map<string, ItemOwner>()
    for (const keys of chunked(keysOf(wanted, 'user'))) {
      const rows: { id: string; email: string; name: string | null }[] = await scope
        .table('users')
        .where((query) => query.whereIn('id', keys).orWhereIn('email', keys.map(lowerCased)))
        .select('id', 'email', 'name')
      for (const row of rows) {
        const owner: ItemOwner = { type: 'user', id: row.id, name: personName(row) }
        users.set(row.id, owner).set(row.email, owner)
      }
    }
    const groups = new Map<string, ItemOwner>()
    for (const ids of chunked(keysOf(wanted, 'group'))) {
      const rows: { id: string; name: string }[] = await scope
        .table('groups')
        .whereIn('id', ids)
        .select('id', 'name')
      for (const row of rows) groups.set(row.id, { type: 'group', id: row.id, name: row.name })
    }
    return new OwnerDirectory(users, groups)
  }

  /**
   * Returns owners as they are stored, without duplicates. An unknown owner is a fault.
   * @param owners undefined for each owner that has no valid shape
   */
  resolve(owners: readonly SoundOwner[], errors: InputErrors): ItemOwner[] {
    const found = new Map<string, ItemOwner>()
    for (const [index, given] of owners.entries()) {
      const pointer = `/owners/${index}/id`
      if (!given?.type || !errors.isWellFormed(pointer)) continue
      const { type, id } = given
      const owner = this.#find(type, id ?? '')
      if (owner) found.set(`${owner.type} ${owner.id}`, owner)
      else {
        const message = `There is no ${type} ${id ? `"${id}"` : 'without an id'}.`
        errors.add({ pointer, code: 'unknown_owner', message })
      }
    }
    return [...found.values()]
  }

  #find(type: OwnerInput['type'], id: string): ItemOwner | undefined {
    if (type === 'releasePilot') return RELEASE_PILOT
    if (type === 'group') return this.groups.get(id)
    return this.users.get(id) ?? this.users.get(lowerCased(id))
  }
}

const lowerCased = (email: string) => email.toLowerCase()

function keysOf(wanted: readonly SoundOwner[], type: OwnerInput['type']): string[] {
  return [...new Set(wanted.flatMap((owner) => (owner?.type === type && owner.id ? owner.id : [])))]
}
