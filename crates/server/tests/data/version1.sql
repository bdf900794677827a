BEGIN TRANSACTION;
CREATE TABLE actions (
    game TEXT NOT NULL, number INTEGER NOT NULL, action TEXT NOT NULL, token TEXT NOT NULL,
    at INTEGER NOT NULL, white INTEGER, black INTEGER, PRIMARY KEY (game, number)
) WITHOUT ROWID;
INSERT INTO "actions" VALUES('57hcc8cSB8zr',0,'roll:P','mine',1795032910211,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',1,'d2d4','zEBUeU3OVUfO',1795032910212,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',2,'roll:N','mine',1795032910213,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',3,'b8c6','sceY8vM9wrsU',1795032910214,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',4,'roll:P','mine',1795032910215,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',5,'c2c4','UYWOVAVSOLv9',1795032910216,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',6,'roll:N','mine',1795032910217,NULL,NULL);
INSERT INTO "actions" VALUES('57hcc8cSB8zr',7,'c6e5','675rJFRCsJCB',1795032910218,NULL,NULL);
INSERT INTO "actions" VALUES('FMmvOgRtHTT8',0,'e2e4','',1795032910218,NULL,NULL);
INSERT INTO "actions" VALUES('FMmvOgRtHTT8',1,'e7e5','',1795032910218,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',0,'roll:N','mine',1795032910199,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',1,'b1c3','PwyyaPb1JEqc',1795032910200,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',2,'roll:P','mine',1795032910201,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',3,'c7c5','3mokOl5a5I2U',1795032910202,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',4,'roll:R','mine',1795032910203,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',5,'a1b1','4V1iaGTJ2aHD',1795032910204,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',6,'roll:Q','mine',1795032910205,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',7,'d8c7','3icxTJt5GKX1',1795032910206,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',8,'roll:P','mine',1795032910206,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',9,'e2e4','rwlZZtHP3vd8',1795032910208,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',10,'roll:Q','mine',1795032910208,NULL,NULL);
INSERT INTO "actions" VALUES('WtCdyRvGw3Z4',11,'c7b6','348MN1A2unFy',1795032910209,NULL,NULL);
INSERT INTO "actions" VALUES('hSisVmvSH6E7',0,'e2e4','t0',1795032910190,600000,600000);
INSERT INTO "actions" VALUES('hSisVmvSH6E7',1,'f7f6','t1',1795032910191,600000,600000);
INSERT INTO "actions" VALUES('hSisVmvSH6E7',2,'d1h5','t2',1795032910191,602000,600000);
INSERT INTO "actions" VALUES('hSisVmvSH6E7',3,'a7a6','t3',1795032910192,602000,601999);
INSERT INTO "actions" VALUES('hSisVmvSH6E7',4,'h5e8','t4',1795032910193,603999,601999);
INSERT INTO "actions" VALUES('hdJIAhof4k8I',0,'e2e4','t0',1795032910196,NULL,NULL);
INSERT INTO "actions" VALUES('hdJIAhof4k8I',1,'f7f6','t1',1795032910196,NULL,NULL);
INSERT INTO "actions" VALUES('hdJIAhof4k8I',2,'d1h5','t2',1795032910197,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',0,'b2b4','',1795032910244,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',1,'h7h6','',1795032910245,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',2,'d2d4','',1795032910246,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',3,'a7a5','',1795032910247,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',4,'b4a5','',1795032910249,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',5,'a8a7','',1795032910249,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',6,'c1h6','',1795032910250,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',7,'c7c6','',1795032910251,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',8,'h6g7','',1795032910252,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',9,'c6c5','',1795032910254,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',10,'g7h8','',1795032910255,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',11,'c5d4','',1795032910256,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',12,'d1d4','',1795032910257,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',13,'b7b6','',1795032910259,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',14,'d4d7','',1795032910260,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',15,'c8a6','',1795032910261,NULL,NULL);
INSERT INTO "actions" VALUES('nl9spd260svH',16,'d7e8','',1795032910262,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',0,'c2c3','',1795032910221,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',1,'e7e5','',1795032910223,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',2,'h2h4','',1795032910224,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',3,'d8h4','',1795032910225,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',4,'d1a4','',1795032910226,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',5,'h4a4','',1795032910228,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',6,'b1a3','',1795032910229,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',7,'f8a3','',1795032910230,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',8,'h1h2','',1795032910231,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',9,'a3b2','',1795032910232,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',10,'h2h1','',1795032910234,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',11,'b2a1','',1795032910235,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',12,'d2d3','',1795032910236,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',13,'a1c3','',1795032910237,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',14,'c1d2','',1795032910239,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',15,'c3d2','',1795032910240,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',16,'h1h3','',1795032910241,NULL,NULL);
INSERT INTO "actions" VALUES('rdPhr4UyxkBA',17,'d2e1','',1795032910242,NULL,NULL);
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "facts" VALUES('alive',1795032914983);
INSERT INTO "facts" VALUES('boots',1);
CREATE TABLE games (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER,
    white TEXT, black TEXT, tournament TEXT, participant INTEGER,
    terms TEXT NOT NULL, result TEXT, reason TEXT, plies INTEGER NOT NULL DEFAULT 0,
    telemetry TEXT NOT NULL DEFAULT '[]'
);
INSERT INTO "games" VALUES('hSisVmvSH6E7','over',1795032910188,1795032910193,'zLog0QiEKYGZ','4dUatJzeh1YS',NULL,NULL,'{"id":"hSisVmvSH6E7","game":"fog","rules":"chesscom","start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"person","player":"zLog0QiEKYGZ","name":"Ada","rating":null},"black":{"kind":"person","player":"4dUatJzeh1YS","name":"Žofie 王","rating":null},"clock":{"base":600000,"increment":2000},"rated":true,"practice":false,"created":1795032910188,"seed":438093260256590,"dice_seed":null,"pause":0,"tournament":null,"participant":null,"rematch":null,"trusted":false}','1-0','king_captured',5,'[]');
INSERT INTO "games" VALUES('hdJIAhof4k8I','running',1795032910194,NULL,'zLog0QiEKYGZ','4dUatJzeh1YS',NULL,NULL,'{"id":"hdJIAhof4k8I","game":"fog","rules":"thesis","start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"person","player":"zLog0QiEKYGZ","name":"Ada","rating":null},"black":{"kind":"person","player":"4dUatJzeh1YS","name":"Žofie 王","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910194,"seed":495124855964733,"dice_seed":null,"pause":0,"tournament":null,"participant":null,"rematch":null,"trusted":false}',NULL,NULL,0,'[]');
INSERT INTO "games" VALUES('WtCdyRvGw3Z4','over',1795032910197,1795032910210,'zLog0QiEKYGZ','4dUatJzeh1YS',NULL,NULL,'{"id":"WtCdyRvGw3Z4","game":"dice1","rules":null,"start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"person","player":"zLog0QiEKYGZ","name":"Ada","rating":null},"black":{"kind":"person","player":"4dUatJzeh1YS","name":"Žofie 王","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910197,"seed":1876427837662559,"dice_seed":"cae4e13a01e2096387e6d626f22341b2d7c7fc5d5daafb0e017b70beb6f81a0c","pause":0,"tournament":null,"participant":null,"rematch":null,"trusted":false}','0-1','resign',6,'[]');
INSERT INTO "games" VALUES('57hcc8cSB8zr','running',1795032910210,NULL,'zLog0QiEKYGZ','4dUatJzeh1YS',NULL,NULL,'{"id":"57hcc8cSB8zr","game":"dice1","rules":null,"start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"person","player":"zLog0QiEKYGZ","name":"Ada","rating":null},"black":{"kind":"person","player":"4dUatJzeh1YS","name":"Žofie 王","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910210,"seed":4386021201754166,"dice_seed":"9e15b99abb8093460f7d79ada09c69bf663d6da979f320842495f392bb18ce79","pause":0,"tournament":null,"participant":null,"rematch":null,"trusted":false}',NULL,NULL,0,'[]');
INSERT INTO "games" VALUES('FMmvOgRtHTT8','over',1795032910218,1795032910218,'','',NULL,NULL,'{"id":"FMmvOgRtHTT8","game":"fog","rules":"chesscom","start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"person","player":"","name":"A‮b","rating":null},"black":{"kind":"person","player":"","name":"B","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910218,"seed":3679958676066232,"dice_seed":null,"pause":0,"tournament":null,"participant":null,"rematch":null,"trusted":false}','1/2-1/2','agreement',2,'[]');
INSERT INTO "games" VALUES('rdPhr4UyxkBA','over',1795032910220,1795032910242,NULL,NULL,'qxT4UJ1kBg',NULL,'{"id":"rdPhr4UyxkBA","game":"fog","rules":"chesscom","start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"agent","name":"random","spec":"random","rating":null},"black":{"kind":"agent","name":"greedy","spec":"greedy","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910220,"seed":768584466132572,"dice_seed":null,"pause":0,"tournament":["qxT4UJ1kBg",1],"participant":null,"rematch":null,"trusted":false}','0-1','king_captured',18,'[]');
INSERT INTO "games" VALUES('nl9spd260svH','over',1795032910242,1795032910262,NULL,NULL,'qxT4UJ1kBg',NULL,'{"id":"nl9spd260svH","game":"fog","rules":"chesscom","start":"startpos","sight":{"white":"normal","black":"normal"},"white":{"kind":"agent","name":"greedy","spec":"greedy","rating":null},"black":{"kind":"agent","name":"random","spec":"random","rating":null},"clock":null,"rated":false,"practice":false,"created":1795032910242,"seed":2426960026002988,"dice_seed":null,"pause":0,"tournament":["qxT4UJ1kBg",2],"participant":null,"rematch":null,"trusted":false}','1-0','king_captured',17,'[]');
CREATE TABLE ladder (
    ladder TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    rating REAL NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    PRIMARY KEY (ladder, player)
) WITHOUT ROWID;
INSERT INTO "ladder" VALUES('fog:chesscom','4dUatJzeh1YS','Žofie 王','person',1480.0,0,0,1);
INSERT INTO "ladder" VALUES('fog:chesscom','zLog0QiEKYGZ','Ada','person',1520.0,1,0,0);
CREATE TABLE participants (
    number INTEGER PRIMARY KEY, created INTEGER NOT NULL, answers_before TEXT NOT NULL,
    answers_after TEXT, player TEXT NOT NULL
);
INSERT INTO "participants" VALUES(7,1795032910220,'{"hours":3.5,"openings":2,"tactics":4,"positional":1}',NULL,'Mz28kvTxLTg3');
CREATE TABLE players (
    id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL
);
INSERT INTO "players" VALUES('zLog0QiEKYGZ','075a13837c3a98ee8de8634d7ee555fd5f16a16bd734839bc49c5363d6308540','Ada',1795032910185);
INSERT INTO "players" VALUES('4dUatJzeh1YS','2404891ddfc2cf5d8368d1739ddf8a45f0f74da88d79c339e42243da099e8f92','Žofie 王',1795032910187);
INSERT INTO "players" VALUES('Mz28kvTxLTg3','f1dbfba243b2b97413df8a36645f4d7198e4df237c9273c5424cd593fa135db5','Participant 7',1795032910220);
CREATE TABLE reviews (
    game TEXT NOT NULL, side TEXT NOT NULL, review TEXT NOT NULL, PRIMARY KEY (game, side)
) WITHOUT ROWID;
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY, created INTEGER NOT NULL, status TEXT NOT NULL, terms TEXT NOT NULL
);
INSERT INTO "tournaments" VALUES('qxT4UJ1kBg',1795032910219,'over','{"name":"Evening","game":"fog","rules":null,"agents":["random","greedy"],"rounds":1,"pause":0}');
CREATE INDEX games_by_status ON games (status, created);
CREATE INDEX games_by_white ON games (white, created);
CREATE INDEX games_by_black ON games (black, created);
CREATE INDEX games_by_tournament ON games (tournament) WHERE tournament IS NOT NULL;
COMMIT;
PRAGMA user_version = 1;
