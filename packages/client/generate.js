/*
 * Writes `generated/openapi.ts`, the types of docs/openapi.json, unless they are of that document
 * already. The file is in no commit: every new operation would change it.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const document = new URL('../../docs/openapi.json', import.meta.url)
const file = new URL('generated/openapi.ts', import.meta.url)

const source = readFileSync(document, 'utf8')
const mark = `// Of docs/openapi.json with SHA-256 ${createHash('sha256').update(source).digest('hex')}.\n`

if (!existsSync(file) || !readFileSync(file, 'utf8').startsWith(mark)) {
  const { default: typesOf, astToString } = await import('openapi-typescript')
  const types = astToString(await typesOf(JSON.parse(source)))
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, mark + types)
}
