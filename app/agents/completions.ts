import { readOrNull, type Caller } from './asking.js'

/** Maximum number of values that one completion may return (per the protocol). */
const MAX_VALUES = 100

/** Returns the ids of apps, or of an app's releases, that start with the typed text. */
export async function completed(
  caller: Caller,
  { name, value }: { name: string; value: string },
  input: Readonly<Record<string, string>>
): Promise<string[]> {
  const ids = await idsFor(caller, name, input)
  return ids.filter((id) => id.startsWith(value)).slice(0, MAX_VALUES)
}

async function idsFor(caller: Caller, name: string, { appId }: Readonly<Record<string, string>>) {
  if (name === 'appId') return idsOf(await readOrNull(caller, 'listApps', {}))
  if (name === 'releaseId' && appId)
    return idsOf(await readOrNull(caller, 'listReleases', { appId }))
  return []
}

function idsOf(result: string | null): string[] {
  if (result === null) return []
  const reported = JSON.parse(result) as { id: string }[] | { data: { id: string }[] }
  return (Array.isArray(reported) ? reported : reported.data).map(({ id }) => id)
}
