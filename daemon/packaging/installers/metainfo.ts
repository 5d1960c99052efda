/** What software centres of Linux show: a component of AppStream. */
import { DASHBOARD_DESKTOP_NAME } from '../../src/install/linux-files.ts'
import { DESCRIPTION, HOMEPAGE, METAINFO_ID, SUMMARY } from './about.ts'

const SECONDS = 1000

const day = (time: number): string => new Date(time * SECONDS).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** `time`: seconds since the epoch. A version of a pre-release is a development release. */
export const metainfo = (version: string, time: number): string => `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${METAINFO_ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>MIT</project_license>
  <name>Sallyport</name>
  <summary>${SUMMARY.replace(/^./, (first) => first.toUpperCase())}</summary>
  <description>
    <p>${DESCRIPTION}</p>
    <p>The dashboard shows which games are connected and what each may do, and takes that back.</p>
  </description>
  <developer_name>The Sallyport authors</developer_name>
  <url type="homepage">${HOMEPAGE}</url>
  <launchable type="desktop-id">${DASHBOARD_DESKTOP_NAME}</launchable>
  <icon type="stock">sallyport</icon>
  <categories>
    <category>Network</category>
    <category>Utility</category>
  </categories>
  <provides>
    <binary>sallyport</binary>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${version.replace('-', '~')}" date="${day(time)}" type="${version.includes('-') ? 'development' : 'stable'}"/>
  </releases>
</component>
`
