const MIB = 1024 * 1024

/** Limits of reading. The first four are documented; the others limit the memory of a thread. */
export const LIMITS = {
  entries: 100_000,
  manifestBytes: 16 * MIB,
  resourcesBytes: 64 * MIB,
  /** The maximum compression ratio of files that are read. */
  ratio: 100,
  /** Bytes of the directory: the names and attributes of all entries. */
  directoryBytes: 64 * MIB,
  nameBytes: 1024,
  /** Elements of a manifest. */
  elements: 200_000,
  /** Values of a property list: each costs the library kilobytes of memory. */
  plistValues: 20_000,
  depth: 100,
  profileBytes: 4 * MIB,
  signatureBytes: 16 * MIB,
  iconBytes: 5 * MIB,
  /** Maximum width and height of an icon. */
  iconPixels: 4096,
  permissions: 200,
  abis: 20,
  /** Components of an app, and exported ones. */
  components: 1000,
  exported: 300,
  /** Bytes of a file that describes a component, and of all such files. */
  componentBytes: 64 * 1024,
  componentsBytes: 4 * MIB,
  /** Bytes of the list of libraries in a bundle. */
  dependenciesBytes: 4 * MIB,
  /** Characters of the entitlements, as JSON. */
  entitlements: 8192,
} as const
