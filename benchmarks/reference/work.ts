import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The computation that any implementation of a status write needs. */

export type Row = Record<string, unknown>

/** The state read before anything is written. */
export interface Read {
  key: Row
  app: Row
  release: Row
  steps: Row[]
  items: Row[]
}

export interface Wanted {
  id: string
  status: string
}

/** A change with what is stored for it: bindings of SET_STATUS and ADD_EVENT. */
export interface Change {
  item: Row
  update: (string | null)[]
  /** The event with the number it gets. */
  event(sequence: number): (string | number)[]
}

/** `<app>:<version>` as the numbers of the version. */
export const versionOf = (releaseId: string) => releaseId.split(':')[1].split('.').map(Number)

/** The public part of an API key and the hash of its secret part (`key_format.ts`). */
export function partsOfKey(key: string): { id: string; hash: string } {
  const text = key.slice(key.indexOf('_') + 1)
  const secret = text.slice(12, 44)
  return { id: text.slice(0, 12), hash: createHash('sha256').update(secret).digest('hex') }
}

/** @throws unless the key is known, holds the secret and is not revoked. */
export function requireKey(row: Row | undefined, hash: string): Row {
  const matches =
    row !== undefined &&
    timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(row.secret_hash as string, 'hex'))
  if (!matches || row.revoked_at !== null) throw new Error('The key is not valid')
  return row
}

/** The writes that set items of a release to wanted statuses; unchanged items are left out. */
export function changesOf(read: Read, wanted: readonly Wanted[]): Change[] {
  const now = new Date().toISOString()
  const actor = JSON.stringify({ type: 'apiKey', id: read.key.id, name: read.key.name })
  const items = new Map(read.items.map((item) => [item.item_id, item]))
  return wanted.flatMap(({ id, status }) => {
    const before = items.get(id)
    if (!before) throw new Error(`The release has no item ${id}`)
    if (before.status === status) return []
    const item = {
      ...before,
      status,
      status_updated_at: now,
      status_updated_by: actor,
      updated_at: now,
    }
    const { id: releaseId } = read.release as { id: string }
    return {
      item,
      update: [status, now, actor, now, releaseId, id],
      event: (sequence: number) => eventOf(read, { item, before, now }, sequence),
    }
  })
}

function eventOf(
  { key, app, release }: Read,
  { item, before, now }: { item: Row; before: Row; now: string },
  sequence: number
): (string | number)[] {
  const id = `evt_${randomBytes(15).toString('base64url')}`
  const type = 'checklistItem.statusChanged'
  const payload = JSON.stringify({
    id,
    eventType: type,
    type,
    createdAt: now,
    sequence,
    org: { id: key.organization_id, name: key.organization_name },
    app: { id: app.id, name: app.name, platform: app.platform, appGroup: app.app_group },
    release: {
      id: `${release.app_id}:${release.version}`,
      version: release.version,
      status: release.status,
      releaseType: release.release_type,
      createdAt: release.created_at,
    },
    checklistItem: itemEntity(item),
    previousStatus: before.status,
  })
  const organizationId = key.organization_id as string
  return [id, organizationId, type, now, app.id as string, release.id as string, sequence, payload]
}

const parsed = (text: unknown) => (text === null ? null : JSON.parse(text as string))

/** An item as the service answers it. */
export function itemEntity(row: Row) {
  return {
    id: row.item_id,
    appId: row.app_id,
    kind: row.kind,
    title: row.title,
    description: row.description,
    releaseTypes: parsed(row.release_types),
    owners: parsed(row.owners),
    required: Boolean(row.required),
    notifyOnCompletion: Boolean(row.notify_on_completion),
    placement: {
      stepConfigId: row.step_config_id,
      stepType: row.step_type,
      position: row.position,
    },
    releaseId: null,
    status: {
      type: row.status,
      updatedAt: row.status_updated_at,
      updatedBy: parsed(row.status_updated_by),
      comment: parsed(row.comment),
    },
    createdAt: row.item_created_at,
    updatedAt: row.updated_at,
  }
}
