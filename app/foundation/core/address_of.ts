/** Fills the parameters of an address in, such as `/app/{appId}`. */
export const addressOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]))
