const MIB = 1024 * 1024

/** Limits of reading. The first four are of the contract, the others keep a thread small. */
export const LIMITS = {
  entries: 100_000,
  manifestBytes: 16 * MIB,
  resourcesBytes: 64 * MIB,
  /** Bytes out for each byte in of what is read. */
  ratio: 100,
  /** Bytes of names and attributes of all entries. */
  directoryBytes: 64 * MIB,
  nameBytes: 1024,
  /** Elements of a manifest. */
  elements: 200_000,
  /** Values of a property list: each costs its library kilobytes while it reads. */
  plistValues: 20_000,
  depth: 100,
  profileBytes: 4 * MIB,
  signatureBytes: 16 * MIB,
  iconBytes: 5 * MIB,
  /** Maximum width and height of an icon. */
  iconPixels: 4096,
  permissions: 200,
  abis: 20,
  /** Components of an app, and entrances to it, each. */
  components: 1000,
  exported: 300,
  /** Files that describe components, each; and all of them together. */
  componentBytes: 64 * 1024,
  componentsBytes: 4 * MIB,
  /** The list of libraries in a bundle. */
  dependenciesBytes: 4 * MIB,
  /** Characters of the entitlements, as JSON. */
  entitlements: 8192,
} as const
