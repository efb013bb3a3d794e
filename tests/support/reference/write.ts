import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * `npm run docs:reference`: writes the tables of docs/reference from the code, and draws the
 * diagrams.
 */

const home = mkdtempSync(join(tmpdir(), 'tarmac-reference-'))
process.env.TARMAC_HOME = home
const { ignite } = await import('../../../bin/ignite.js')
const app = ignite().createApp('console')
await app.init()
await app.boot()
const { draw } = await import('../diagrams.js')
const { referencePages } = await import('./tables.js')
const { TEXTS, textsPage } = await import('./texts.js')
for (const { at, text } of (await referencePages()).values()) await writeFile(at, text)
await writeFile(TEXTS, textsPage())
await draw()
await app.terminate()
rmSync(home, { recursive: true })
