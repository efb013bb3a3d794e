import type { Scope } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { AnyCall } from './any_call.js'
import { entityTag, isTagged } from './entity_tag.js'
import type { Rendered } from './render.js'

/** An answer as all who ask the same get it. */
interface Shared {
  status: number
  headers: Readonly<Record<string, string>>
  bytes: Buffer
}

/**
 * The answer to a GET that follows from what is stored: rendered and tagged once for all who ask
 * the same, with the same permissions, until anybody commits.
 */
export async function answerOnce(
  operation: AnyOperation,
  call: AnyCall,
  answer: () => Promise<Rendered>
): Promise<Rendered> {
  const { status, headers, bytes } = await call.scope.onceStored(
    questionOf(operation, call),
    async (): Promise<{ made: Shared; size: number | null }> => {
      const made = shared(await answer())
      return { made, size: made.status === 200 ? made.bytes.length : null }
    }
  )
  return {
    status,
    headers: { ...headers },
    bytes,
    get body() {
      return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
    },
  }
}

function shared({ status, headers, bytes: made, file, flow }: Rendered): Shared {
  if (file || flow) throw new Error('What is streamed is not of what is stored alone')
  const bytes = Buffer.from(made)
  if (!isTagged(status, headers, bytes)) return { status, headers, bytes }
  return { status, headers: { etag: entityTag(bytes), ...headers }, bytes }
}

/** All that such an answer depends on beside what is stored. */
function questionOf({ id }: AnyOperation, { scope, params, query, origin }: AnyCall): string {
  return JSON.stringify([id, params, query ?? null, origin.baseUrl, ...whoAsks(scope)])
}

function whoAsks({ organization, actor, permissions }: Scope): unknown[] {
  const { admin, actions, groupIds, appIds } = permissions
  const may = [admin, [...actions], groupIds, appIds && [...appIds]]
  return [organization.id, organization.name, actor.type, actor.id, actor.name, ...may]
}
