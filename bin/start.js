/*
 * `npm start`: runs the service from its TypeScript sources.
 * Node 24 comes with the dependencies on Linux; npm puts it first on the path.
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
