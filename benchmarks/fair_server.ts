import { serve } from './reference/serve.js'
import { openStore } from './reference/store.js'
import type { Wanted } from './reference/work.js'

/*
 * The baseline of writes: the work in one transaction that any implementation must do. Check the
 * key; read app, release, steps with runs and items; update the item; take the organization's next
 * event number; store one event with its payload; commit; answer the item.
 */
const store = await openStore()

interface Body {
  releaseId: string
  items: Wanted[]
  status: string
}

serve(async ({ segments, key, body }) => {
  const { releaseId, items, status }: Body = JSON.parse(body.toString())
  // PUT /app/{appId}/regressionItems/batch
  if (segments[4] === 'batch') {
    return { updated: await store.setStatuses(key, segments[2], releaseId, items), errors: [] }
  }
  // PUT /app/{appId}/release/{releaseId}/checklistItem/{id}/status
  const wanted = [{ id: segments[6], status }]
  const [item] = await store.setStatuses(key, segments[2], segments[4], wanted)
  return item
})
