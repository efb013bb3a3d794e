/*
 * `npm start` runs the service from its TypeScript sources. On Linux, Node 24 is among the
 * dependencies, and npm puts it first on the path.
 */
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Tarmac needs Node 24 or newer, this is ${process.version}. Start it with "npm start".`
  )
  process.exit(1)
}

process.env.NODE_ENV ??= 'production'
await import('./typescript.js')
await import('./server.ts')
