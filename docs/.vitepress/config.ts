import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { slugify } from './slugify.js'

/*
 * The pages of docs as a site, which the service serves at /guide: `npm run docs:build`.
 */

const DOCS = fileURLToPath(new URL('../', import.meta.url))

/** The title of a page. */
const titleOf = (page: string) =>
  /^# (.*)$/m.exec(readFileSync(join(DOCS, page), 'utf8'))![1].replaceAll('`', '')

const icon = readFileSync(join(DOCS, '../app/pages/assets/mark.svg'), 'utf8')

const item = (page: string): DefaultTheme.SidebarItem => ({
  text: titleOf(page),
  link: `/${page.replace(/(README)?\.md$/, '')}`,
})

/** The pages that a page with a table of its part links to, in their order. */
function part(text: string, folder: string): DefaultTheme.SidebarItem {
  const index = `${folder}/README.md`
  const links = readFileSync(join(DOCS, index), 'utf8').matchAll(/\]\(([\w./-]+\.md)\)/g)
  const pages = [...new Set([...links].map(([, link]) => join(folder, link)))]
  return {
    ...{ text, collapsed: folder !== 'how-to', link: `/${folder}/` },
    items: pages.filter((page) => page.startsWith(`${folder}/`)).map(item),
  }
}

export default defineConfig({
  title: 'Tarmac',
  description: 'Release management for mobile app teams',
  base: '/guide/',
  lang: 'en',
  outDir: './.vitepress/dist',
  cacheDir: '../tmp/vitepress',
  cleanUrls: true,
  // The table of hashed names is a file of its own: no page changes with another one.
  metaChunk: true,
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),

  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    // Pages are Markdown alone: what looks like an element is text, and marks are not shown.
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config(md) {
      md.core.ruler.before('normalize', 'marks', (state) => {
        state.src = state.src.replace(/<!--[^]*?-->/g, '')
      })
      // What is in the repository and not among the pages is named, and not linked.
      type Rule = NonNullable<typeof md.renderer.rules.link_open>
      const asIs: Rule = (tokens, index, options, _env, self) =>
        self.renderToken(tokens, index, options)
      const { link_open: open = asIs, link_close: close = asIs } = md.renderer.rules
      const isOutside = (href: string, page: string) => {
        if (/^([a-z]+:|#|\/)/.test(href)) return false
        const file = join(dirname(page), href.split('#')[0])
        return relative(DOCS, file).startsWith('..') || !file.endsWith('.md')
      }
      const skipped: boolean[] = []
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const href = tokens[index].attrGet('href') ?? ''
        skipped.push(isOutside(href, env.realPath ?? env.path))
        return skipped.at(-1) ? '<span>' : open(tokens, index, options, env, self)
      }
      md.renderer.rules.link_close = (tokens, index, options, env, self) => {
        return skipped.pop() ? '</span>' : close(tokens, index, options, env, self)
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/first-rehearsal' },
      { text: 'How to', link: '/how-to/' },
      { text: 'Explanation', link: '/explanation/' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      {
        text: 'Tutorial',
        items: ['tutorial/first-rehearsal.md', 'tutorial/first-release.md'].map(item),
      },
      part('How to', 'how-to'),
      part('Explanation', 'explanation'),
      part('Reference', 'reference'),
      {
        ...{ text: 'Inside', collapsed: true },
        items: ['architecture.md', 'benchmarks.md', 'decisions/README.md']
          .filter((page) => existsSync(join(DOCS, page)))
          .map(item),
      },
    ],
  },
})
