-- Grants as the last format before the loader of Wine stored them: one row of each kind of program, written by that version and dumped.
BEGIN TRANSACTION;
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    application_id TEXT NOT NULL,
    application_name TEXT,
    user_id TEXT NOT NULL,
    username TEXT,
    uid INTEGER,
    executable TEXT,
    file TEXT,
    basis TEXT NOT NULL,
    scopes TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  , kind TEXT NOT NULL DEFAULT 'native', interpreter TEXT, interpreter_file TEXT, container TEXT, digest TEXT, session TEXT) WITHOUT ROWID;
INSERT INTO grants VALUES('bot','test','7','Dockside','bot','the bot of the application',1000,'/games/one','66306:1:456:1700000000000000001:1700000000000000002','allowed','bot',1795000000001,1795000000002,'native',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL);
INSERT INTO grants VALUES('elsewhere','other','7','Dockside','12345678901234567890','ada',1000,'/games/one','66306:1:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'native',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL);
INSERT INTO grants VALUES('flatpak','test','7','Dockside','12345678901234567890','ada',1000,'org.example.Five',NULL,'allowed','identify guilds',1795000000001,1795000000002,'container',NULL,NULL,'flatpak',NULL,NULL);
INSERT INTO grants VALUES('linux','test','7','Dockside','12345678901234567890','ada',1000,'/usr/bin/python3.11','mnt:[4026532758]:66306:6:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'container',NULL,NULL,'other','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL);
INSERT INTO grants VALUES('mac','test','7','Dockside','12345678901234567890','ada',1000,'/Applications/Seven.app/Contents/MacOS/Seven','66306:7:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'container',NULL,NULL,'other','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL);
INSERT INTO grants VALUES('native','test','7','Dockside','12345678901234567890','ada',1000,'/games/one','66306:1:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'native',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL);
INSERT INTO grants VALUES('page','test','7','Dockside','12345678901234567890','ada',NULL,'https://game.example',NULL,'token','identify guilds',1795000000001,1795000000002,'page',NULL,NULL,NULL,NULL,NULL);
INSERT INTO grants VALUES('script','test','7','Dockside','12345678901234567890','ada',1000,'/games/three.py','66306:3:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'script','/usr/bin/python3.11','66306:30:456:1700000000000000001:1700000000000000002',NULL,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb+cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',NULL);
INSERT INTO grants VALUES('terminal','test','7','Dockside','12345678901234567890','ada',1000,'/opt/sallyport/sallyport.cjs','66306:8:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'script','/opt/node','66306:80:456:1700000000000000001:1700000000000000002',NULL,NULL,'tty:4304:271464');
INSERT INTO grants VALUES('token','test','7',NULL,'12345678901234567890',NULL,1000,'/games/two','66306:2:456:1700000000000000001:1700000000000000002','token','',1795000000001,1795000000002,'native',NULL,NULL,NULL,NULL,NULL);
INSERT INTO grants VALUES('wine','test','7','Dockside','12345678901234567890','ada',1000,'/home/mia/.wine/drive_c/Games/four.exe','66306:4:456:1700000000000000001:1700000000000000002','allowed','identify guilds',1795000000001,1795000000002,'wine','/home/mia/.wine/drive_c/windows/sallyport-wine.exe','66306:40:456:1700000000000000001:1700000000000000002',NULL,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd+eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',NULL);
COMMIT;
PRAGMA user_version = 2;
