import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Form factors that share the one store of their package on Google Play, with their tracks. */
const TRACKS: Readonly<Record<string, string>> = {
  wearos: 'wear:production',
  androidtv: 'tv:production',
}

/** The next read is the first: it adopts nothing. */
const UNREAD = { polled_at: null, others: '[]' }

/** Has one record for each package on Google Play: form factors had their own before. */
export async function shareStores(client: QueryClientContract): Promise<void> {
  const stores = await client
    .from('store_records')
    .whereIn('platform', Object.keys(TRACKS))
    .orderBy('id')
  for (const store of stores) {
    const { id, organization_id: organization, plugin_id: plugin, bundle_id: bundle } = store
    const key = { organization_id: organization, plugin_id: plugin, bundle_id: bundle }
    // Their versions are named with the track.
    const calls = JSON.parse(store.calls).map((each: { call: { version: string } }) => {
      const version = `${TRACKS[store.platform]} ${each.call.version}`
      return { ...each, call: { ...each.call, version } }
    })
    const kept = await client
      .from('store_records')
      .where({ ...key, platform: 'android' })
      .first()
    if (!kept) {
      const own = { ...UNREAD, platform: 'android', calls: JSON.stringify(calls) }
      await client.from('store_records').where('id', id).update(own)
      continue
    }
    await client.from('store_members').where('store_id', id).update({ store_id: kept.id })
    await client
      .from('store_records')
      .where('id', kept.id)
      .update({
        ...UNREAD,
        generation: Math.max(Number(kept.generation), Number(store.generation)),
        lag_seconds: Math.max(Number(kept.lag_seconds), Number(store.lag_seconds)),
        calls: JSON.stringify([...JSON.parse(kept.calls), ...calls]),
      })
    await client.from('store_records').where('id', id).delete()
  }
}
