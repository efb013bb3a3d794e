import type { SelectRunner, StatementRunner } from '../database/runner.js'
import { ExtensionPoint } from '../extension_point.js'

/** A file that a row names. */
export interface NamedFile {
  /** The position in the order of its table. */
  place: string
  key: string
  /** In bytes; null if the rows do not state it. */
  size: number | null
  /**
   * The first of the hexadecimal digits of its SHA-256, or all; null if the rows do not state it.
   */
  sha256: string | null
}

/** The files that rows of a module name: all those whose keys begin with its folder. */
export interface FileNames {
  /** `icons/` */
  folder: string
  /**
   * Returns files that are named, from a key on (`''` for the first), in the order of their keys.
   */
  after(selects: SelectRunner, place: string, limit: number): Promise<NamedFile[]>
  /** Returns those of the keys that rows name. */
  among(selects: SelectRunner, keys: readonly string[]): Promise<string[]>
  /** Marks a file as lost: the next upload with the same content replaces it. */
  giveUp?(statements: StatementRunner, key: string): Promise<void>
}

/** Modules that store files register the tables that name them. */
export const fileNames = new ExtensionPoint<FileNames>()
