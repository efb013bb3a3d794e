import { readFileSync, writeFileSync } from 'node:fs'
import { orThrow, type components } from '@tarmac/client'
import { EXIT, Failure } from '../exit_codes.js'
import { plain } from '../output.js'
import type { Session } from '../session.js'

type Change = components['schemas']['PlannedChange']

/** Reads a file that somebody named. @throws Failure if there is none */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Failure(EXIT.usage, `There is no file ${path}.`)
  }
}

/** The text of a file as a body. */
const textBody = (file: string, type: string) => ({
  body: textOf(file),
  headers: { 'Content-Type': type },
  bodySerializer: String,
})

/** Sends a file: of an app, or of a new one without. */
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

/** Shows what a file would change: of an app, or a new one without. */
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

/** Makes an app of a file, or changes one to match it. */
export async function applyConfig(
  session: Session,
  file: string,
  { app }: { app?: string }
): Promise<void> {
  const applied = await sendConfig(session, file, app, {})
  const { id } = applied as { id: string }
  session.out.show(applied, () => plain(app ? `${id} matches ${file}.` : `Made ${id}.`))
}

/** Brings past releases of an app from a table. */
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
    const counts = `${made} made, ${merged} completed, ${unchanged} as they were.`
    const ignored = ignoredColumns.length > 0 ? `\nIgnored: ${ignoredColumns.join(', ')}.` : ''
    return plain(`${dryRun ? 'Nothing was written. It would be: ' : ''}${counts}${ignored}`)
  })
}

/** Writes the configuration of an app to a file, or shows it. */
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

/** Writes the evidence of a release, byte for byte: its last member is a signed digest of them. */
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
