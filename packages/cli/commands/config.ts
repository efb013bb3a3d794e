import { readFileSync, writeFileSync } from 'node:fs'
import { orThrow, type components } from '@tarmac/client'
import { EXIT, Failure } from '../exit_codes.js'
import { plain } from '../output.js'
import type { Session } from '../session.js'

type Change = components['schemas']['PlannedChange']

/** @throws Failure if the file does not exist */
function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new Failure(EXIT.usage, `There is no file ${path}.`)
  }
}

/** Returns request options that send a text file as it is: the service checks its encoding. */
const textBody = (file: string, type: string) => ({
  body: readBytes(file) as unknown as string,
  headers: { 'Content-Type': type },
  bodySerializer: (body: unknown) => body as Buffer<ArrayBuffer>,
})

/** Sends a configuration file: for an existing app, or for a new one if `app` is undefined. */
async function sendConfig(
  { client, organizationId }: Session,
  file: string,
  app: string | undefined,
  query: { dryRun?: boolean }
) {
  const body = textBody(file, 'application/yaml')
  return app
    ? orThrow(
        client.PATCH('/app/{appId}/app/config', {
          params: { path: { appId: app }, query },
          ...body,
        })
      )
    : orThrow(
        client.POST('/org/{orgId}/app/config', {
          params: { path: { orgId: organizationId() }, query },
          ...body,
        })
      )
}

/** Shows what a configuration file would change in an app, or in a new one without `--app`. */
export async function planConfig(
  session: Session,
  file: string,
  { app }: { app?: string }
): Promise<void> {
  const plan = await sendConfig(session, file, app, { dryRun: true })
  session.out.show(plan, () => planText(plan as Change[]))
}

const MARKS = { add: '+', change: '~', remove: '-' } as const

function planText(plan: readonly Change[]): string {
  if (plan.length === 0) return 'Nothing would change.'
  const value = (each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each))
  return plan
    .map(({ op, path, from, to, effect }) => {
      const values =
        op === 'change' ? `${value(from)} → ${value(to)}` : value(op === 'add' ? to : from)
      return plain(`${MARKS[op]} ${path}: ${values}${effect ? `\n    ${effect}` : ''}`)
    })
    .join('\n')
}

/** Changes an app to match a configuration file, or creates one from it. */
export async function applyConfig(
  session: Session,
  file: string,
  { app }: { app?: string }
): Promise<void> {
  const applied = await sendConfig(session, file, app, {})
  const { id } = applied as { id: string }
  session.out.show(applied, () => plain(app ? `${id} matches ${file}.` : `Created ${id}.`))
}

/** Imports past releases of an app from a CSV file. */
export async function importReleases(
  { client, out }: Session,
  file: string,
  { app, dryRun = false }: { app: string; dryRun?: boolean }
): Promise<void> {
  const imported = await orThrow(
    client.POST('/app/{appId}/releases/import', {
      params: { path: { appId: app }, query: { dryRun } },
      ...textBody(file, 'text/csv'),
    })
  )
  const { made, merged, unchanged, ignoredColumns } = imported
  out.show(imported, () => {
    const counts = `${made} created, ${merged} completed, ${unchanged} unchanged.`
    const ignored = ignoredColumns.length > 0 ? `\nIgnored: ${ignoredColumns.join(', ')}.` : ''
    return plain(
      `${dryRun ? 'Nothing was written. The import would result in: ' : ''}${counts}${ignored}`
    )
  })
}

/** Writes the configuration of an app to a file, or prints it. */
export async function pullConfig(
  session: Session,
  app: string,
  { output }: { output?: string }
): Promise<void> {
  const { client, out } = session
  const params = { path: { appId: app } }
  const file = await orThrow(client.GET('/app/{appId}/app/config', { params, parseAs: 'text' }))
  if (output === undefined) return out.show({ app, yaml: file }, () => file)
  writeFileSync(output, file)
  out.show({ app, file: output }, () => `Wrote ${output}.`)
}

/**
 * Writes the evidence of a release to a file, byte for byte: its last member is a signed digest of
 * the bytes.
 */
export async function pullEvidence(
  { client, out }: Session,
  path: { appId: string; releaseId: string },
  { output }: { output: string }
): Promise<void> {
  const bytes = await orThrow(
    client.GET('/app/{appId}/release/{releaseId}/evidence', {
      params: { path },
      parseAs: 'arrayBuffer',
    })
  )
  writeFileSync(output, Buffer.from(bytes))
  out.show(
    { releaseId: path.releaseId, file: output, bytes: bytes.byteLength },
    () => `Wrote ${output}.`
  )
}
