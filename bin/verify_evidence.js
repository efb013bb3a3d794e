/*
 * Verifies an evidence file: `node bin/verify_evidence.js <file> [<public key>]`. It needs no
 * database, application or dependency, and writes nothing (docs/reference/evidence.md).
 */
import { readFileSync } from 'node:fs'
import './newer_node.js'

// Node strips the types itself.
const { verifyEvidence } = await import('../app/releases/evidence/verify_evidence.ts')

const [file, key] = process.argv.slice(2)
if (file === undefined) {
  console.error('Which file? node bin/verify_evidence.js <file> [<public key>]')
  process.exit(2)
}
let bytes
try {
  bytes = readFileSync(file)
} catch (error) {
  console.error(`The file "${file}" cannot be read (${error.code}).`)
  process.exit(2)
}
const verdict = verifyEvidence(bytes, key)
for (const { where, message } of verdict.errors) console.error(`${where}: ${message}`)
const { releaseId, entries, approvals } = verdict
const held = `${entries} entries of the timeline and ${approvals} approvals hold`
console.log(
  verdict.holds
    ? `${releaseId}: the file is intact; ${held}.`
    : `${releaseId ?? file}: the file is NOT intact; ${held}.`
)
if (verdict.digest) console.log(`digest ${verdict.digest}\nkey    ${verdict.key}`)
if (verdict.holds && key === undefined) {
  console.log('Whose key that is the file cannot prove: give the one that you know the service by.')
}
process.exit(verdict.holds ? 0 : 1)
