/*
 * The small process that begins git for the service: see
 * docs/decisions/0022-version-control.md. It is plain JavaScript, so that it needs
 * no loader; launcher.ts starts it, and says what goes to and fro.
 */
import { spawn } from 'node:child_process'

/** The running programs, by the number that the service gave them. */
const programs = new Map()

function tell(message) {
  // A service that does not listen any more is about to be noticed.
  process.send(message, () => {})
}

function begin(id, { args, env, input, window }) {
  let child
  try {
    // A group of its own, so that ssh and whatever else git starts end with it.
    child = spawn('git', args, { cwd: '/', env, stdio: 'pipe', detached: true })
  } catch (error) {
    return tell({ id, failed: error.code })
  }
  const more = {
    stdout: handOver(id, 'stdout', child.stdout, window),
    stderr: handOver(id, 'stderr', child.stderr, window),
  }
  programs.set(id, { child, more })
  if (child.pid !== undefined) tell({ id, pid: child.pid })
  child.once('error', ({ code }) => over(id, { failed: code }))
  child.once('close', (code) => over(id, { code }))
  // A program that does not read its input to the end closes it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
}

function over(id, how) {
  if (programs.delete(id)) tell({ id, ...how })
}

/** Sends output as far as there is room for it; returns a function that makes room. */
function handOver(id, name, stream, window) {
  let room = window
  stream.on('data', (chunk) => {
    tell({ id, [name]: chunk })
    room -= chunk.length
    if (room <= 0) stream.pause()
  })
  return (bytes) => {
    room += bytes
    if (room > 0) stream.resume()
  }
}

/** Ends a program with all that it started; nobody asks for what it printed. */
function kill({ child }) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
  child.stdout.destroy()
  child.stderr.destroy()
}

process.on('message', ({ id, ...asked }) => {
  if (asked.begin) return begin(id, asked.begin)
  const program = programs.get(id)
  if (!program) return
  if (asked.kill) kill(program)
  else program.more[asked.taken](asked.bytes)
})

// It ends with its service, however that ended, and nothing it began stays.
process.on('disconnect', () => {
  programs.forEach(kill)
  process.exit()
})
// Whoever stops the service may mean all its processes; those that are under way end in order.
process.on('SIGTERM', () => {})
